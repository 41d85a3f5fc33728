# The program around the code of a call. It talks to rein in frames on two pipes of its own: four bytes with the length,
# then JSON. What the code prints goes elsewhere and cannot be taken for a frame.
import ast
import builtins
import json
import linecache
import os
import struct
import sys
import threading
import traceback

_IN, _OUT = 3, 4
for _fd in (_IN, _OUT):
    os.set_inheritable(_fd, False)


def _read(n):
    data = b""
    while len(data) < n:
        more = os.read(_IN, n - len(data))
        if not more:
            os._exit(3)
        data += more
    return data


def _receive():
    (size,) = struct.unpack(">I", _read(4))
    return json.loads(_read(size))


_first = _receive()
_nonce = _first["nonce"]
_turn = threading.Lock()


def _send(frame):
    frame["nonce"] = _nonce
    data = json.dumps(frame, ensure_ascii=False).encode("utf-8", "replace")
    data = struct.pack(">I", len(data)) + data
    while data:
        data = data[os.write(_OUT, data):]


class ForkError(Exception):
    """What rein refuses. code says why: limit, budget, not_found, invalid, conflict …"""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Result(str):
    """What came of a fork. end says how it ended."""

    end = "done"

    @property
    def ok(self):
        return self.end in ("done", "limit")


def _ask(frame):
    with _turn:
        _send(frame)
        answer = _receive()
    if answer.get("code"):
        raise ForkError(answer["code"], answer.get("error", ""))
    return answer


def fork(prompt):
    """Starts another agent on the prompt and returns its handle."""
    if not isinstance(prompt, str):
        raise TypeError("fork: the prompt must be a text, not " + type(prompt).__name__)
    return _ask({"call": "fork", "prompt": prompt})["handle"]


def wait(handle):
    """Waits for an agent that fork started and returns its result."""
    if not isinstance(handle, int) or isinstance(handle, bool):
        raise TypeError("wait: the handle must be a number that fork returned, not " + type(handle).__name__)
    answer = _ask({"call": "wait", "handle": handle})
    result = Result(answer.get("text", ""))
    result.end = answer.get("end", "")
    return result


def _value(value, most):
    """The value as JSON, or in Python's words if it has no JSON."""
    try:
        text = json.dumps(value, allow_nan=False)
        if len(text) <= most:
            return {"value": json.loads(text)}
        return {"repr": text[:most], "note": "the value has %d bytes of JSON, and its beginning is shown" % len(text)}
    except Exception:
        pass
    try:
        text = repr(value)
    except Exception as e:
        text = "<%s whose repr fails: %s>" % (type(value).__name__, type(e).__name__)
    return {"repr": text[:most], "note": "a value of type %s cannot be written as JSON" % type(value).__name__}


def _run(code, most):
    name = "<python>"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    scope = {"__name__": "__main__", "__builtins__": builtins, "fork": fork, "wait": wait, "ForkError": ForkError}
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), scope)
    if last is None:
        return {}
    return _value(eval(compile(last, name, "eval"), scope), most)


def _traceback(error):
    error.__traceback__ = error.__traceback__ and _inside(error.__traceback__)
    return "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=30))


def _inside(tb):
    while tb is not None and tb.tb_frame.f_code.co_filename != "<python>":
        tb = tb.tb_next
    return tb


def _main():
    most = _first["most"]
    try:
        done = _run(_first["code"], most)
    except SystemExit as e:
        done = {} if e.code in (None, 0) else {"error": "SystemExit: %s" % (e.code,)}
    except BaseException as e:
        try:
            done = {"error": _traceback(e)[-most:]}
        except BaseException:
            done = {"error": type(e).__name__}
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    done["call"] = "done"
    _send(done)
    os._exit(0)


_main()
