import { readFileSync } from 'node:fs';
import type { Program } from './program.js';

const lines = (...text: string[]): string => `${text.join('\n')}\n`;
const simple = (sources: Record<string, string>): Program[] =>
  Object.entries(sources).map(([name, source]) => ({ name, source: `${source}\n` }));

/** What scripts can be told apart by: how they end, what they print, what they find. */
export const PYTHON_PROGRAMS: readonly Program[] = [
  {
    name: 'everything that it finds',
    source: readFileSync(new URL('state.py', import.meta.url), 'utf8'),
    args: ['one', 'two words', '', 'ümlaut', '--flag=1', '\u{1F600}'],
    env: {
      A: 'a',
      EMPTY: '',
      LINES: 'one\ntwo',
      'odd.name': 'x',
      UMLAUT: 'ä',
      PWD: '/elsewhere',
      LONG: 'x'.repeat(100_000),
    },
  },
  ...simple({
    nothing: '',
    'no newline at the end of the output': 'print("x", end="")',
    'a module docstring': '"""doc"""\nprint(__doc__)',
    'its name':
      'print(__name__, __file__, __package__, __spec__, __cached__ if "__cached__" in globals() else "-")',
    'its loader':
      'print(type(__loader__), __loader__.name, __loader__.path, __loader__.get_source("__main__"))',
    annotations: 'x: int = 1\nprint(__annotations__)',
    builtins: 'print(__builtins__.__name__, type(__builtins__))',
    'globals in order': 'print(list(globals()))',
    'import of __main__':
      'import __main__\nprint(__main__.__file__, __main__ is __import__("sys").modules["__main__"])',
    'imports itself':
      'import main\nprint(main.__name__, main.__file__) if __name__ == "__main__" else print("imported")',
    'the stack':
      'import traceback, inspect\ntraceback.print_stack()\nprint(len(inspect.stack()), inspect.stack()[0].filename)',
    'the stack of a function': 'import traceback\ndef f():\n    traceback.print_stack()\nf()',
    'its source': 'import inspect, sys\nprint(inspect.getsource(sys.modules["__main__"]))',
    flags: 'import sys\nprint(sys.flags, sys.warnoptions, sys._xoptions, sys.dont_write_bytecode)',
    'sys.path': 'import sys\nprint(sys.path)',
    'sys.executable':
      'import sys\nprint(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.argv, sys.orig_argv)',
    'a subprocess of itself':
      'import subprocess, sys\nprint(subprocess.run([sys.executable, "-c", "import sys; print(sys.argv, sys.path, sys.flags)"], capture_output=True))',
    'a shell': 'import os\nprint(os.popen("echo $0 $HOME $PWD; env | sort").read())',
    'multiprocessing by spawn':
      'import multiprocessing as m\ndef f(q): q.put(__name__)\nif __name__ == "__main__":\n    c = m.get_context("spawn"); q = c.SimpleQueue(); p = c.Process(target=f, args=(q,)); p.start(); print(q.get()); p.join(); print(p.exitcode)',
    'multiprocessing by fork':
      'import multiprocessing as m\nc = m.get_context("fork")\nq = c.SimpleQueue()\np = c.Process(target=lambda: q.put(__name__)); p.start(); print(q.get()); p.join(); print(p.exitcode)',
    fork: 'import os\npid = os.fork()\nif pid == 0:\n    print("child", flush=True)\n    os._exit(3)\nprint(os.waitpid(pid, 0)[1])',
    exec: 'import os, sys\nos.execv(sys.executable, [sys.executable, "-c", "import sys, os; print(sys.argv, os.listdir(\'/proc/self/fd\'))"])',
    'a thread':
      'import threading\nt = threading.Thread(target=print, args=("in a thread",)); t.start(); t.join()',
    'a thread that ends last':
      'import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print("late"))).start()\nprint("first")',
    'a daemon thread':
      'import threading, time\nthreading.Thread(target=lambda: time.sleep(9), daemon=True).start()\nprint("over")',
    'a thread that fails':
      'import threading\nt = threading.Thread(target=lambda: 1 / 0, name="worker"); t.start(); t.join()',
    asyncio:
      'import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 4\nprint(asyncio.run(f()))',
    'an executor':
      'from concurrent.futures import ThreadPoolExecutor\nprint(list(ThreadPoolExecutor(2).map(abs, [-1, -2])))',
    'standard input': 'import sys\nprint(repr(sys.stdin.read()), sys.stdin.isatty(), sys.stdin.fileno())',
    'input()': 'input("prompt")',
    'buffered output before a crash': 'import os, sys\nsys.stdout.write("lost or not")\nos._exit(4)',
    'mixed outputs': 'import sys\nfor i in range(50):\n    print(i); print(-i, file=sys.stderr)',
    'large output': 'print("x" * 300000)',
    bytes: 'import sys\nsys.stdout.buffer.write(b"\\xff\\x00")',
    surrogates: 'print("\\udcff")',
    'a closed output': 'import sys\nsys.stdout.close()',
    'output after closing': 'import sys\nsys.stdout.close()\nprint("x")',
    'a closed descriptor': 'import os\nos.close(1)\nprint("x")',
    'no standard error': 'import sys, os\nos.close(2)\n1/0',
    'reopened output': 'open("/dev/stdout", "w").write("again\\n")',
    'next descriptor': 'print(open("/dev/null").fileno(), open("/dev/null").fileno())',
    atexit: 'import atexit\natexit.register(print, "bye")\nprint("hello")',
    'atexit that fails': 'import atexit\natexit.register(lambda: 1 / 0)',
    'atexit with exit': 'import atexit, sys\natexit.register(lambda: sys.exit(5))',
    'a finalizer at the end': 'class A:\n    def __del__(self): print("gone")\na = A()',
    'a cycle at the end': 'class A:\n    def __del__(self): print("gone")\na = A(); a.me = a',
    'weakref.finalize': 'import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, "finalized")',
    excepthook: 'import sys\nsys.excepthook = lambda *e: print("hook", e[0], e[2].tb_frame.f_back)\n1/0',
    unraisablehook:
      'import sys\nsys.unraisablehook = lambda u: print("unraisable", u.exc_type)\nclass A:\n    def __del__(self): 1/0\ndel (a := A())',
    'a finalizer that fails': 'class A:\n    def __del__(self): 1/0\na = A()\ndel a',
    'a trace function':
      'import sys\nevents = []\nsys.settrace(lambda f, e, a: events.append(e))\ndef f(): pass\nf()\nsys.settrace(None)\nprint(events)',
    'a warning': 'import warnings\nwarnings.warn("careful")\nwarnings.warn("old", DeprecationWarning)',
    'a syntax warning': 'print(1 is 1)',
    recursion: 'def f(): f()\nf()',
    'recursion limit':
      'import sys\nprint(sys.getrecursionlimit())\ndef f(n): return n and f(n - 1)\nprint(f(900))',
    'a syntax error': 'print("x"\n',
    'an indentation error': 'if True:\nprint(1)',
    'an invalid byte': '# -*- coding: ascii -*-\nprint("ä")',
    'a null byte': 'print(1)\0',
    'a coding line': '# coding: latin-1\nprint("x")',
    'a shebang': '#!/usr/bin/env python3\nprint(1)',
    'from __future__': 'from __future__ import annotations\nx: undefined = 1\nprint(__annotations__)',
    'an uncaught exception': 'def f():\n    raise ValueError("no")\nf()',
    'a chained exception': 'try:\n    1/0\nexcept ZeroDivisionError as e:\n    raise KeyError("x") from e',
    'an exception group': 'raise ExceptionGroup("many", [ValueError(1), TypeError(2)])',
    'a base exception': 'class E(BaseException): pass\nraise E("x")',
    'an exception without words': 'class E(Exception):\n    def __str__(self): 1/0\nraise E',
    GeneratorExit: 'raise GeneratorExit',
    MemoryError: 'raise MemoryError',
    'a missing module': 'import nothing_like_it',
    'exit 0': 'import sys; sys.exit(0)',
    'exit 3': 'import sys; sys.exit(3)',
    'exit 256': 'import sys; sys.exit(256)',
    'exit -1': 'import sys; sys.exit(-1)',
    'exit with words': 'import sys; sys.exit("it is over")',
    'exit None': 'import sys; sys.exit(None)',
    'exit with a tuple': 'import sys; sys.exit((1, 2))',
    'exit True': 'import sys; sys.exit(True)',
    'exit with a float': 'import sys; sys.exit(1.5)',
    'exit with a huge number': 'import sys; sys.exit(2**40)',
    'exit()': 'exit(6)',
    'quit()': 'quit()',
    'raise SystemExit': 'raise SystemExit(7)',
    'SystemExit of a class': 'class S(SystemExit): pass\nraise S(8)',
    'os._exit': 'import os; os._exit(9)',
    'os.abort': 'import os; os.abort()',
    'exit in a thread': 'import sys, threading\nthreading.Thread(target=sys.exit, args=(3,)).start()',
    KeyboardInterrupt: 'raise KeyboardInterrupt',
    SIGINT: 'import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(1)',
    SIGTERM: 'import os, signal, time\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(1)',
    SIGKILL: 'import os\nos.kill(os.getpid(), 9)',
    SIGHUP: 'import os\nos.kill(os.getpid(), 1)',
    SIGPIPE: 'import os, signal\nos.kill(os.getpid(), signal.SIGPIPE)\nprint("ignored")',
    'a broken pipe': 'import os\nr, w = os.pipe(); os.close(r)\nos.write(w, b"x")',
    'a segmentation fault': 'import ctypes\nctypes.string_at(0)',
    faulthandler: 'import faulthandler, ctypes\nfaulthandler.enable(all_threads=False)\nprint("on")',
    'a handler for SIGTERM':
      'import os, signal\nsignal.signal(signal.SIGTERM, lambda *a: print("asked", a[0]))\nos.kill(os.getpid(), signal.SIGTERM)\nprint("on")',
    'an alarm': 'import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.02)\ntime.sleep(1)',
    'changes of the environment':
      'import os\nos.environ["B"] = "2"; os.environ.pop("HOME"); os.putenv("C", "3")\nprint(os.popen("env | sort").read(), dict(os.environ))',
    'a removed variable':
      'import os\ndel os.environ["PATH"]\nprint(os.popen("echo $PATH").read(), "PATH" in os.environ)',
    'the time zone':
      'import os, time\nos.environ["TZ"] = "Asia/Tokyo"; time.tzset(); print(time.tzname, time.localtime(0))',
    'a date':
      'import datetime\nprint(datetime.datetime.fromtimestamp(0), datetime.datetime.fromtimestamp(0).astimezone())',
    'random with a seed': 'import random\nrandom.seed(5); print(random.random())',
    'hashes differ':
      'import subprocess, sys\nprint(hash("x") == 0, sys.hash_info, sys.flags.hash_randomization)',
    getpass:
      'import getpass, os, pwd\nprint(getpass.getuser(), pwd.getpwuid(os.getuid()), os.path.expanduser("~"))',
    tempfile: 'import tempfile, os\nprint(tempfile.gettempdir(), os.listdir("/tmp"))',
    sockets:
      'import socket\nprint(socket.gethostname(), socket.getaddrinfo("localhost", 80)[0][4])\ntry: socket.create_connection(("127.0.0.1", 443))\nexcept OSError as e: print(e)',
    'the door':
      'import socket\ns = socket.socket(socket.AF_UNIX)\ntry: s.connect("\\0door")\nexcept OSError as e: print(e)',
    outputs: 'open("/outputs/x.txt", "w").write("x")\nimport os\nprint(os.listdir("/outputs"))',
    'a read-only app': 'open("/app/x", "w")',
    'json and friends':
      'import json, re, decimal, sqlite3, ssl, hashlib, zlib, csv, logging, uuid, struct, ctypes, datetime\nprint(json.dumps({"a": 1}), hashlib.sha256(b"x").hexdigest(), ssl.OPENSSL_VERSION)',
    logging: 'import logging\nlogging.warning("careful")\nlogging.error("wrong", exc_info=False)',
    readline: 'import sys\nprint("readline" in sys.modules)\nimport readline',
    importlib:
      'import importlib.util\nprint(importlib.util.find_spec("json").origin, importlib.util.find_spec("usercustomize"), importlib.util.find_spec("door"))',
    usercustomize: 'import usercustomize',
    runpy:
      'import runpy\nprint(runpy.run_path("/app/main.py", run_name="other")["__name__"]) if __name__ == "__main__" else print(__name__)',
    compile:
      'print(compile("x", "<s>", "eval").co_flags, __import__("sys")._getframe().f_code.co_flags, __import__("sys")._getframe().f_code.co_filename)',
    'code of the module':
      'import sys\nc = sys._getframe().f_code\nprint(c.co_name, c.co_qualname, c.co_firstlineno, c.co_names, c.co_consts)',
    tracemalloc: 'import tracemalloc\nprint(tracemalloc.is_tracing(), tracemalloc.get_traceback_limit())',
    'pickle of a class':
      'import pickle\nclass A: pass\nprint(pickle.loads(pickle.dumps(A())).__class__.__module__)',
    'a pdb in post mortem':
      'import sys\ntry:\n    1/0\nexcept Exception:\n    tb = sys.exc_info()[2]\n    n = 0\n    while tb: n += 1; tb = tb.tb_next\n    print(n)',
    'last traceback': 'import sys\nprint(hasattr(sys, "last_value"), sys.exc_info())',
    'interned attributes':
      'import sys\nprint([n for n in dir(sys) if n.startswith("_")], sys.getswitchinterval(), sys.get_asyncgen_hooks())',
    audit: 'import sys\nsys.addaudithook(lambda e, a: e == "open" and print(e, a[0]))\nopen("/dev/null")',
  }),
  { name: 'a missing script', source: '', file: 'other.py', args: [], files: {} },
  {
    name: 'in a folder',
    source: '',
    file: 'tool/run.py',
    files: {
      'tool/run.py': 'import sys, near\nprint(sys.path[0], __file__, sys.argv)\n',
      'tool/near.py': 'print("near")\n',
    },
  },
  {
    name: 'a folder with __main__',
    source: '',
    file: 'tool',
    files: {
      'tool/__main__.py': 'import sys\nprint(sys.path[0], __file__, sys.argv, __package__, __spec__)\n1/0\n',
    },
  },
  { name: 'a folder without __main__', source: '', file: 'tool', files: { 'tool/x.py': '' } },
  {
    name: 'a neighbour',
    source: lines('import near', 'print(near.__file__, near.__spec__)'),
    files: { 'near.py': '' },
  },
  {
    name: 'a neighbour that shadows the library',
    source: lines('import random', 'print(random.mine)'),
    files: { 'random.py': 'mine = 1\n' },
  },
  {
    name: 'a neighbour called sitecustomize',
    source: lines('import sys', 'print("sitecustomize" in sys.modules)'),
    files: { 'sitecustomize.py': 'print("no")\n', 'usercustomize.py': 'print("neither")\n' },
  },
  {
    name: 'a name that is no Python',
    source: '',
    file: 'script',
    files: { script: 'import sys\nprint(__file__, sys.argv)\n' },
  },
  { name: 'compiled', source: '', file: 'main.pyc', files: { 'main.pyc': 'not really' } },
  {
    name: 'a long name',
    source: '',
    file: `${'n'.repeat(190)}.py`,
    files: { [`${'n'.repeat(190)}.py`]: 'print(__file__)\n' },
  },
  {
    name: 'arguments like options',
    source: lines('import sys', 'print(sys.argv, sys.orig_argv, sys.flags)'),
    args: ['-c', '-m', '--', '-u'],
  },
  {
    name: 'many arguments',
    source: lines('import sys', 'print(len(sys.argv), open("/proc/self/cmdline").read())'),
    args: Array.from({ length: 500 }, (_, index) => `argument ${index}`),
  },
  ...Object.entries({
    'no folder': {},
    'a module': { 'extra.py': 'import sys\nprint(__file__)\n' },
    sitecustomize: {
      'extra.py': '',
      'sitecustomize.py': 'import sys\nprint("site", sys.argv, sys.path, sys._getframe(1))\n',
    },
    usercustomize: { 'extra.py': '', 'usercustomize/__init__.py': 'print("user", __file__)\n' },
    'a module that the start needs': { 'extra.py': '', 'encodings.py': 'raise SystemExit(9)\n' },
    'modules like those of the start': { 'extra.py': '', 'os.py': 'print(1)\n', 'site.py': 'print(2)\n' },
    'a folder of metadata': { 'extra.py': '', 'extra-1.0.dist-info/METADATA': 'Name: extra\nVersion: 1.0\n' },
  }).map(([name, files]) => ({
    name: `installed modules: ${name}`,
    source: lines(
      'import sys, signal',
      'print(sys.path, sys.path_importer_cache, sorted(sys.modules), list(globals()))',
      'print([signal.getsignal(s) for s in signal.valid_signals()], [l for l in open("/proc/self/status") if l.startswith("Sig")])',
      'import extra',
      'import importlib.metadata',
      'print(extra.__file__, extra.__spec__, sys.path_importer_cache)',
      'print([d.metadata["Name"] for d in importlib.metadata.distributions(path=["/app/.deps"])])',
    ),
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`.deps/${path}`, text])),
    env: { PYTHONPATH: '/app/.deps' },
  })),
];
