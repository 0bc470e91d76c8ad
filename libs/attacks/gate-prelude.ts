/**
 * Python with which a script attacks the gate byte by byte: `connect` speaks TLS with any server name or none, `ask`
 * sends any bytes and reads one response, `hello` says a ClientHello whose server name no TLS library would send.
 */
export const PRELUDE = String.raw`
import base64, errno, json, os, re, socket, ssl, struct, subprocess, sys, threading, time
def inputs():
    return json.load(open(os.environ["GATEHOUSE_INPUTS"]))

def connect(port, name="localhost", timeout=10):
    context = ssl.create_default_context(); context.check_hostname = False
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout), server_hostname=name)

def whole(got):
    head, end, body = got.partition(b"\r\n\r\n")
    if not end: return False
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    if b"content-length" in fields: return len(body) >= int(fields[b"content-length"])
    return re.search(rb"(^|\r\n)0\r\n([^\r]+\r\n)*\r\n$", body) is not None

def read(s):
    got = b""
    try:
        while not whole(got):
            part = s.recv(65536)
            if not part: break
            got += part
    except OSError: pass
    return got

def ask(port, request, name="localhost"):
    """One answer, the status in it, and whether the connection was closed after it."""
    with connect(port, name) as s:
        s.sendall(request.encode("latin1"))
        got = read(s)
        s.settimeout(0.5)
        try: rest, closed = s.recv(65536), True
        except TimeoutError: rest, closed = b"", False
        except OSError: rest, closed = b"", True
        text = (got + rest).decode("latin1")
        return {"status": int(text[9:12]) if text.startswith("HTTP/1.1 ") else None, "text": text, "answers": text.count("HTTP/1.1 "), "closed": closed and not rest}

def get(port, path="/", name="localhost", headers="", method="GET"):
    host = name if port == 443 else "%s:%d" % (name, port)
    return ask(port, "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (method, path, host, headers), name)

def hello(port, name):
    """What the gate says to a ClientHello with these bytes as its server name: alert, hello, or nothing."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    client = context.wrap_bio(incoming, outgoing, server_hostname="placeholder.example")
    try: client.do_handshake()
    except ssl.SSLWantReadError: pass
    record = outgoing.read()
    old = b"placeholder.example"
    entry = lambda text: struct.pack(">HHHBH", 0, len(text) + 5, len(text) + 3, 0, len(text)) + text
    assert entry(old) in record
    # The lengths around it: record, handshake, extensions.
    at = 5 + 4 + 2 + 32
    at += 1 + record[at]
    at += 2 + struct.unpack_from(">H", record, at)[0]
    at += 1 + record[at]
    grown = len(name) - len(old)
    extensions = struct.unpack_from(">H", record, at)[0] + grown
    body = bytearray(record)
    body[at:at + 2] = struct.pack(">H", extensions)
    body[6:9] = struct.pack(">I", struct.unpack(">I", b"\0" + record[6:9])[0] + grown)[1:]
    body[3:5] = struct.pack(">H", struct.unpack(">H", record[3:5])[0] + grown)
    with socket.create_connection(("127.0.0.1", port), 5) as s:
        s.sendall(bytes(body).replace(entry(old), entry(name)))
        try: answer = s.recv(1)
        except ConnectionError: answer = b""
        return {b"\x15": "alert", b"\x16": "hello", b"": "closed"}.get(answer, repr(answer))

def outcome(action, *arguments):
    """The errno that an action fails with, or what it returned."""
    try: return action(*arguments)
    except ssl.SSLError as error: return "TLS: " + (error.reason or str(error))
    except OSError as error: return errno.errorcode.get(error.errno, str(error))
`;
