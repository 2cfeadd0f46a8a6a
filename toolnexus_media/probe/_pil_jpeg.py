"""Pillow's JPEG reader without what warns. Imported only when a JPEG is decoded, and so may name Pillow at its top."""

from __future__ import annotations

from PIL.JpegImagePlugin import JpegImageFile


class Jpeg(JpegImageFile):
    """The first picture of a JPEG or MPO; EXIF stays bytes, and a cut file is an error whatever the host has set."""

    def _read_dpi_from_exif(self) -> None:
        """Not read: Pillow's EXIF reader warns on damaged blocks, and print resolution is no fact of ours."""

    def load_read(self, read_bytes: int) -> bytes:
        """More of the scan; Pillow would make up an end where ``LOAD_TRUNCATED_IMAGES`` is set."""
        assert self.fp is not None
        data = self.fp.read(read_bytes)
        if not data:
            raise OSError("image file is truncated")
        return data
