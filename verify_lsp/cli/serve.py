"""`verify-lsp serve`: the language server."""

from verify_lsp.model.errors import UsageError


def serve(*, tcp: str | None, ws: str | None) -> int:
    """Serve over stdio, or over the one transport named; return when the client is gone."""
    from verify_lsp.server.start import Stdio, Tcp, WebSocket
    from verify_lsp.server.start import serve as serve_over

    if tcp is not None:
        return serve_over(Tcp(*_address(tcp)))
    if ws is not None:
        return serve_over(WebSocket(*_address(ws)))
    return serve_over(Stdio())


def _address(text: str) -> tuple[str, int]:
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"expected HOST:PORT, got {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)
