"""In the child: a sound decoded and encoded anew by FFmpeg, the first plan under the byte cap."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import av
from av.error import InvalidDataError

from toolnexus_media.fit._av import opened
from toolnexus_media.probe import _child

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from av.audio.frame import AudioFrame

    from toolnexus_media._b64 import Buffer

MUXERS = {  # container, codec, and the rates it takes where not any
    "audio/mpeg": ("mp3", "libmp3lame", (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)),
    "audio/wav": ("wav", "pcm_s16le", ()),
    "audio/flac": ("flac", "flac", ()),
    "audio/ogg": ("ogg", "libopus", (8000, 12000, 16000, 24000, 48000)),
    "audio/aac": ("adts", "aac", (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)),
    "audio/mp4": ("mp4", "aac", (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)),
}
BAD_PACKETS = 100  # more of them is no sound


class _OverCapError(Exception):
    """What is written is larger than the cap already."""


class Sound(NamedTuple):
    """What was made: bytes, seconds, and the rate and channels they have."""

    data: bytes
    seconds: float
    rate: int
    channels: int


def run(request: dict[str, Any]) -> None:
    """Answer with the sound by the first of ``plans`` that stays under ``cap`` bytes."""
    data = _child.given()
    for number, plan in enumerate(request["plans"]):
        try:
            made = encode(data, request["mime"], plan, cap=request["cap"], seconds=request["cut"])
        except _OverCapError:
            _child.say(over=number)
            continue
        except Exception as error:  # noqa: BLE001 - FFmpeg raises whatever the content provokes
            _child.say(refused=type(error).__name__)
            return
        _child.hand_over(made.data, plan=number, seconds=made.seconds, rate=made.rate, channels=made.channels)
        return


def encode(data: Buffer, mime: str, plan: dict[str, Any], *, cap: int, seconds: float | None = None) -> Sound:
    """The sound in the plan's type (``mime``), at most its ``rate`` and ``channels``, at its ``bits`` a second."""
    muxer, codec, rates = MUXERS[plan["mime"]]
    out = BytesIO()
    with opened(data, mime) as source, av.open(out, "w", format=muxer) as target:
        if not source.streams.audio:
            raise ValueError("no sound in it")
        heard = source.streams.audio[0]
        rate = _rate(heard.rate or plan["rate"], plan["rate"], rates)
        channels = min(max(heard.channels or 1, 1), plan["channels"])
        stream: Any = target.add_stream(codec, rate=rate)
        stream.layout = "mono" if channels == 1 else "stereo"
        if plan["bits"]:
            stream.bit_rate = plan["bits"]
        if codec == "libmp3lame":
            stream.codec_context.options = {"compression_level": "7"}  # twice as fast as its own choice
        told = 0.0
        for frame in _frames(source):
            frame.pts = None  # what the file says of time may be anything
            short = frame if seconds is None else _shortened(frame, seconds - told)
            if short is None:
                break
            short.time_base = Fraction(1, short.sample_rate)
            short.pts = round(told * short.sample_rate)
            target.mux(stream.encode(short))
            told += short.samples / short.sample_rate
            if out.tell() > cap:
                raise _OverCapError
        target.mux(stream.encode(None))
    if not told:
        raise ValueError("no sound in it")
    if out.tell() > cap or len(out.getvalue()) > cap:
        raise _OverCapError
    return Sound(out.getvalue(), round(told, 3), rate, channels)


def _frames(source: Any) -> Iterator[AudioFrame]:
    """What can be decoded; some bad packets are passed over."""
    bad = 0
    for packet in source.demux(audio=0):
        try:
            yield from packet.decode()
        except InvalidDataError:
            bad += 1
            if bad > BAD_PACKETS:
                raise


def _shortened(frame: AudioFrame, seconds: float) -> AudioFrame | None:
    """The beginning of a frame; None where no sample of it is wanted."""
    wanted = int(seconds * frame.sample_rate + 0.001)  # sums of seconds are a hair off
    if wanted >= frame.samples:
        return frame
    if wanted <= 0:
        return None
    queue = av.AudioFifo()
    queue.write(frame)
    return queue.read(wanted)


def _rate(own: int, most: int, rates: tuple[int, ...]) -> int:
    """The sound's own rate, at most the plan's, and one that the codec takes."""
    wanted = min(own, most)
    return min((rate for rate in rates if rate >= wanted), default=max(rates)) if rates else wanted
