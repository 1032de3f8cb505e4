import asyncio
import os

import pytest

from verify_lsp.server.wire.channel import PipeChannel, framed, read_framed


def read_all(data: bytes) -> list[bytes]:
    async def read() -> list[bytes]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        bodies = []
        while (body := await read_framed(reader)) is not None:
            bodies.append(body)
        return bodies

    return asyncio.run(read())


def test_messages_are_read_one_by_one():
    assert read_all(framed(b"one") + framed(b"") + framed("zwölf".encode())) == [b"one", b"", "zwölf".encode()]


@pytest.mark.parametrize(
    "header",
    [
        b"content-length:3\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 3\r\n\r\n",
        b"X-Else: 1\r\n\r\nContent-Length: 3\r\n\r\n",
        b"Content-Length: many\r\n\r\nContent-Length: 3\r\n\r\n",
    ],
)
def test_headers_may_be_written_in_many_ways(header):
    assert read_all(header + b"abc") == [b"abc"]


@pytest.mark.parametrize(
    "junk",
    [
        b"Usage: server [options]\n",
        b"Content-Length: 49\n\n{}",
        b'Content-Length: 4\r\n\r\n{"id": 1}',
        b"Content-Length: -1\r\n\r\n{}",
        b"Length: 2\r\n\r\n{}",
        b"X-Content-Length: 2\r\n\r\n{}",
    ],
)
def test_after_what_is_no_message_the_next_message_is_read(junk):
    assert read_all(junk + framed(b"one") + framed(b"two"))[-2:] == [b"one", b"two"]


@pytest.mark.parametrize(
    "data", [b"", b"Content-Le", b"Content-Length: 9\r\n\r\nabc", b"Content-Length: 99999999999\r\n\r\n"]
)
def test_what_ends_too_early_or_is_too_long_is_the_end(data):
    assert read_all(data) == []


def test_a_flood_without_a_header_is_the_end():
    assert read_all(b"x" * 200_000) == []


def test_a_message_larger_than_the_pipe_is_sent_while_nobody_reads_yet():
    incoming, client_out = os.pipe()
    client_in, outgoing = os.pipe()
    body = b"x" * 1_000_000

    async def talk() -> bytes:
        channel = PipeChannel(incoming, outgoing)
        channel.send(body)
        os.write(client_out, framed(b"from the client"))
        assert await channel.receive() == b"from the client"
        read = await asyncio.to_thread(read_exactly, client_in, len(framed(body)))
        os.close(client_out)
        assert await channel.receive() is None
        await channel.close(5)
        return read

    assert asyncio.run(talk()) == framed(body)


def test_a_reader_that_is_gone_is_the_end_and_no_error():
    incoming, client_out = os.pipe()
    client_in, outgoing = os.pipe()

    async def talk() -> bytes | None:
        channel = PipeChannel(incoming, outgoing)
        os.close(client_in)
        channel.send(b"into the void")
        channel.send(b"and again")
        received = await channel.receive()
        await channel.close(5)
        os.write(client_out, framed(b"too late"))
        return received

    assert asyncio.run(talk()) is None
    os.close(client_out)


def read_exactly(fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += os.read(fd, size - len(data))
    return data
