"""Text: whether it is any, in which encoding, and of which kind."""

from __future__ import annotations

import codecs

import pytest

from toolnexus_media.sniff import charset, sniff

SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"plain\n", "utf-8"), ("naïve".encode(), "utf-8"), (codecs.BOM_UTF8 + b"a", "utf-8-sig"),
        (codecs.BOM_UTF8, "utf-8-sig"),
        ("hé".encode("utf-16"), "utf-16"), (codecs.BOM_UTF16_BE + "hé".encode("utf-16-be"), "utf-16"),
        ("hi there".encode("utf-32"), "utf-32"), ("hello world".encode("utf-16-le"), "utf-16-le"),
        ("hello world".encode("utf-16-be"), "utf-16-be"),
        ("déjà vu, très bien".encode("cp1252"), "cp1252"),
        (("Однажды, в студёную зимнюю пору, я из лесу вышел. " * 2).encode("cp866"), "cp1252"),
        (("中文网页" * 70 + "\n").encode("gb2312"), "cp1252"),
        (b"\x1b[31mred\x1b[0m", "utf-8"), (b"end\x1a", "utf-8"), (b"", None), (b"\x00", None), (b"a\x00b", None),
        (b"\x1a", None),
        (b"\xc3", None), (b"\xfa\xfb\xfc\xfd", None), (codecs.BOM_UTF8 + b"\x00\x01", None),
        (b"\xff\xfe\x00\xd8\x00\x00\x01\x00", None),
    ],
)  # fmt: skip
def test_charset_tells_the_encoding_or_that_it_is_no_text(data: bytes, encoding: str | None) -> None:
    assert charset(data) == encoding


def test_a_character_cut_at_the_end_of_a_long_head_is_no_fault() -> None:
    assert charset(("é" * 100).encode()[:-1]) == "utf-8"
    assert charset("hé\U0001f600".encode("utf-16")[:-2]) == "utf-16"


@pytest.mark.parametrize(
    "text",
    [
        SVG, "\n  " + SVG, "\ufeff" + SVG, "<?xml version='1.0'?>\n" + SVG, "<!-- a > b --><!-- c -->" + SVG,
        "<svg:svg xmlns:svg='x'/>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://x.dtd'>" + SVG,
        "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY ns 'http://x'> <!ENTITY b ']'> ]>" + SVG,
        "<!--" + "long " * 6000 + "-->" + SVG,
    ],
)  # fmt: skip
def test_an_svg_is_known_by_its_root(text: str) -> None:
    assert sniff(text.encode()) == "image/svg+xml"
    assert sniff(text.encode("utf-16")) == "image/svg+xml"


@pytest.mark.parametrize(
    ("text", "mime"),
    [
        ("<!DOCTYPE html><p>", "text/html"), ("<HTML>", "text/html"), ("<html><svg></svg></html>", "text/html"),
        ("<!-- x --><html>", "text/html"),
        ("<head><title>x</title>", "text/html"), ("<?xml version='1.0'?><html xmlns='x'/>", "text/html"),
        ("<p align=center>hi", "text/plain"),
        ("<?xml version='1.0'?><a/>", "application/xml"), ("<!DOCTYPE note SYSTEM 'x'><note/>", "application/xml"),
        ("<feed xmlns='http://www.w3.org/2005/Atom'/>", "application/xml"), ("<_/>", "text/plain"),
        ("<", "text/plain"), ("<!--", "text/plain"),
        ('{"a": [1, 2.5, null]}', "application/json"), ("[1]", "application/json"), ("[]", "application/json"),
        (' \n{"a":1}\n', "application/json"),
        ('{"a": 1}\n{"b": 2}\n', "application/x-ndjson"), ('{"a": 1} {"b": 2}', "text/plain"), ("{", "text/plain"),
        ("{a: 1}", "text/plain"),
        ('{"a": NaN}', "text/plain"), ("[section]\nkey = 1\n", "text/plain"), ("[1] a footnote", "text/plain"),
        ("12", "text/plain"), ('"x"', "text/plain"),
        ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "text/calendar"), ("BEGIN:VCARD\n", "text/vcard"),
        ("WEBVTT\n\n", "text/vtt"), ("WEBVTTX", "text/plain"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi\n", "application/x-subrip"), ("1\n2 --> three\n", "text/plain"),
        ("From: a@b.c\nTo: d@e.f\nSubject: hi\n\nhi\n", "message/rfc822"), ("To: all\nFrom: me\n\nhi\n", "text/plain"),
        ("Received: by x\n with y\nFrom: a\nDate: today\n", "message/rfc822"),
        ("From: here to there\nTo: be or not\n", "text/plain"),
        ("#define x_width 8\n#define x_height 8\nstatic char x_bits[] = {0x00};\n", "image/x-xbitmap"),
        ("#define A 1\n", "text/plain"),
        ("/* XPM */\nstatic char *x[] = {", "image/x-xpixmap"), ("  0\nSECTION\n  2\nHEADER\n", "image/vnd.dxf"),
        ("a,b\n1,2\n", "text/plain"), ("# Title\n\n- item\n", "text/plain"), ("key: value\n", "text/plain"),
        ("#!/bin/sh\necho\n", "text/plain"),
    ],
)  # fmt: skip
def test_text_of_a_kind_that_shows_is_named(text: str, mime: str) -> None:
    assert sniff(text.encode()) == mime


@pytest.mark.parametrize(
    ("name", "text", "mime"),
    [
        ("t.csv", "a,b\n", "text/csv"), ("t.tsv", "a\tb\n", "text/tab-separated-values"),
        ("t.md", "# x\n", "text/markdown"),
        ("t.yaml", "a: 1\n", "application/yaml"), ("t.toml", "a = 1\n", "application/toml"),
        ("t.css", "a {}\n", "text/css"), ("t.ics", "x\n", "text/calendar"),
        ("t.html", "<p>x", "text/html"), ("t.html", "x", "text/plain"), ("t.xml", "<a/>", "application/xml"),
        ("t.jsonl", '{"a":\n', "application/x-ndjson"),
        ("t.json", "{a: 1}", "text/plain"), ("t.svg", "<a/>", "text/plain"),
        ("t.ts", "let x: number\n", "text/plain"), ("t.csv", '{"a": 1}', "application/json"),
        ("t.csv", "\ufeffa,b\n", "text/csv"), ("t.exe", "MZ\n", "text/plain"),
        ("https://h.org/t.csv?x=1", "a,b\n", "text/csv"),
    ],
)  # fmt: skip
def test_a_name_chooses_among_kinds_of_text_and_no_further(name: str, text: str, mime: str) -> None:
    assert sniff(text.encode(), name) == mime


def test_json_longer_than_the_window_has_to_parse_as_far_as_it_is_read() -> None:
    good = b"[" + b'{"key": "some value", "n": 12345},' * 4000
    assert sniff(good) == "application/json"
    assert sniff(good.replace(b"12345}", b"12345 oops}", 1)) == "text/plain"


@pytest.mark.parametrize(
    "text", ["[" * 60_000, '{"a":' * 10_000, "[" + "9" * 60_000 + "]", "]" * 60_000, "<!DOCTYPE a [" + "]" * 60_000]
)
def test_deep_or_endless_text_is_answered(text: str) -> None:
    assert sniff(text.encode()) in ("text/plain", "application/json", "application/xml")
