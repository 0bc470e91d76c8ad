import { describe, expect, inject, it } from 'vitest';

import type { Answer, Json } from '../../libs/testing/index.js';
import { baseUrl, database } from '../support/gatehouse.js';
import { anAttacker, pathsIn } from './support/attack.js';

const attacker = anAttacker();

const names = (run: Json): string[] => run.files.map(({ name }: Json) => name).sort();

/** The bytes of each of a run's files, by name, as somebody gets them who follows its link. */
async function contents(run: Json): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, downloadUrl } of run.files as { name: string; downloadUrl: string }[]) {
    const response = await fetch(downloadUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
    found[name] = await response.text();
  }
  return found;
}

/** Files and bytes that are stored for a run. */
async function storedFor(run: Json): Promise<number> {
  const { rows } = await database().query('SELECT count(*)::int AS files FROM files WHERE run_id = $1', [
    run.id,
  ]);
  return rows[0].files;
}

describe('/outputs', () => {
  it('links lead nowhere: symbolic ones to files and folders, and hard ones; a file of two names is one', async () => {
    const run = await attacker.attempt(`
os.chdir("/outputs")
open("plain", "w").write("plain")
open("one", "w").write("twice there"); os.link("one", "two")
for name, target in {"passwd": "/etc/passwd", "shadow": "/etc/shadow", "etc": "/etc", "up": "..", "own": "plain", "loop": "loop",
    "fd": "/proc/self/fd", "worker": "/proc/1/root/etc/passwd", "far": "../../../../../../../etc/passwd"}.items(): os.symlink(target, name)
sys.stderr.write(refusal(os.link, "/etc/passwd", "hard"))
`);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(await attacker.log(run.id)).toEqual(['EXDEV']);
    expect(await contents(run)).toEqual({ plain: 'plain', one: 'twice there' });
  });

  it('what is no file is passed over: FIFOs, sockets, devices', async () => {
    const run = await attacker.attempt(`
os.chdir("/outputs")
os.mkfifo("fifo"); socket.socket(socket.AF_UNIX).bind("socket"); os.mkdir("folder"); os.mkfifo("folder/fifo")
sys.stderr.write(refusal(os.mknod, "device", stat.S_IFCHR | 0o666, os.makedev(1, 3)))
open("plain", "w").write("plain")
`);
    expect(await attacker.log(run.id)).toEqual(['EPERM']);
    expect(await contents(run)).toEqual({ plain: 'plain' });
  });

  it('a set-user-id bit stays behind, as do modes that would keep the worker out', async () => {
    const run = await attacker.attempt(`
os.chdir("/outputs")
for name, mode in (("setuid", 0o6777), ("closed", 0), ("write-only", 0o222)): open(name, "w").write(name); os.chmod(name, mode)
os.mkdir("folder"); open("folder/inner", "w").write("inner"); os.chmod("folder", 0); os.chmod("/outputs", 0)
`);
    expect(await contents(run)).toEqual({
      setuid: 'setuid',
      closed: 'closed',
      'write-only': 'write-only',
      'folder/inner': 'inner',
    });
    const executable = (await attacker.findings(
      'print(json.dumps([oct(os.stat(path).st_mode) for path in [inputs()["file"]]]))',
      { inputSchema: { properties: { file: { type: 'string', format: 'file' } } } },
      { file: run.files.find(({ name }: Json) => name === 'setuid').id },
    )) as string[];
    expect(executable).toEqual(['0o100644']);
  });

  it('any name is taken, shown on one line, and cut off from everything else', async () => {
    const run = await attacker.attempt(`
os.chdir("/outputs")
for name in [b"line\\nbreak", b"return\\r\\nSet-Cookie: a=b", b"\\x1b[2J", b"\\xff\\xfe", b"n" * 255, b"...", b"-rf", b"~", b"%2e%2e%2fetc",
    b"..\\\\..\\\\evil", b"C:\\\\evil", b'"; filename="evil.exe', "\\u202egpj.exe".encode(), b"' OR 1=1 --", b"<img src=x>", b" ", b"#?&=", "\\U0001f600".encode()]:
    open(name, "wb").write(b"x")
`);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(run.files).toHaveLength(18);
    for (const name of names(run)) {
      expect(
        [...name].every((character) => character >= ' ' && !'\x7f\u202e\u2028'.includes(character)),
      ).toBe(true);
      expect(name.split('/')).not.toContain('..');
    }
    const given = await contents(run);
    expect(Object.values(given)).toEqual(Array(18).fill('x'));
    for (const { downloadUrl } of run.files) {
      const { headers } = await fetch(downloadUrl);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[^\s"'\\/;]+$/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    }
    const list = await attacker.api.get('/v1/files?limit=100');
    expect(list.status).toBe(200);
    expect(list.body.items.filter(({ runId }: Json) => runId === run.id)).toHaveLength(18);
  });

  it('names that become the same are files of their own', async () => {
    const run = await attacker.attempt(
      'for name in ("a\\n", "a\\r", "a_"): open("/outputs/" + name, "w").write(repr(name))',
    );
    expect(names(run)).toEqual(['a_', 'a_', 'a_']);
    expect(new Set(run.files.map(({ sha256 }: Json) => sha256)).size).toBe(3);
  });

  it('a path too deep for the system fails the run and says so', async () => {
    const run = await attacker.attempt(`
os.chdir("/outputs")
for _ in range(30): os.mkdir("d" * 200); os.chdir("d" * 200)
open("file", "w").close()
`);
    expect(run).toMatchObject({ status: 'failed', files: [] });
    expect(run.error).toMatch(/longer than 4000 bytes/);
  });

  it.each([
    ['101 files', 'for n in range(101): open("/outputs/%d" % n, "w").write("x")', 'more than 100 files'],
    ['101 MB', 'open("/outputs/f", "wb").write(b"x" * (101 << 20))', 'more than 100 MB'],
    [
      '101 MB in pieces',
      'for n in range(101): open("/outputs/%d" % (n % 100), "ab").write(b"x" * (1 << 20))',
      'more than 100 MB',
    ],
    [
      'a terabyte of nothing',
      'os.truncate(os.open("/outputs/f", os.O_RDWR | os.O_CREAT), 1 << 40)',
      'more than 100 MB',
    ],
  ])('%s fail the run, and none of it is kept', async (_, code, reason) => {
    const run = await attacker.attempt(code);
    expect(run).toMatchObject({ status: 'failed', error: `wrote ${reason} to /outputs`, files: [] });
    expect(await storedFor(run)).toBe(0);
  });

  it('cannot be replaced by something else', async () => {
    const run = await attacker.attempt(`
os.chdir("/")
print(json.dumps([refusal(os.rmdir, "/outputs"), refusal(os.rename, "/outputs", "/tmp/o"), refusal(os.symlink, "/etc", "/outputs")]))
open("/outputs/plain", "w").write("plain")
`);
    for (const answer of run.output) expect(answer).toMatch(/^E(BUSY|ROFS|XDEV|EXIST|ACCES|PERM)$/);
    expect(await contents(run)).toEqual({ plain: 'plain' });
  });
});

describe('an upload', () => {
  const upload = (name: string): Promise<Answer> =>
    attacker.api.post(`/v1/files?name=${encodeURIComponent(name)}`, 'uploaded', {
      'content-type': 'text/plain',
    });

  async function uploadAsForm(filename: string): Promise<Response> {
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\nuploaded\r\n--x--\r\n`;
    return fetch(new URL('/v1/files', baseUrl()), {
      method: 'POST',
      headers: { ...attacker.headers, 'content-type': 'multipart/form-data; boundary=x' },
      body,
    });
  }

  /** Where a file with this id lies for the script that is given it. */
  const place = (id: string): Promise<string> =>
    attacker.findings(
      'print(json.dumps([inputs()["file"], os.path.realpath(inputs()["file"]), open(inputs()["file"]).read()]))',
      { inputSchema: { properties: { file: { type: 'string', format: 'file' } } } },
      { file: id },
    );

  it.each([
    ['../../../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['a/../../b', 'b'],
    ['..', 'file'],
    ['.', 'file'],
    ['../', 'file'],
    ['.inputs.json', '.inputs.json'],
    ['-rf', '-rf'],
    ['$(touch x); `id`', '$(touch x); `id`'],
    ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd'],
  ])('named %j is called %j, and lies in the folder of its input', async (name, plain) => {
    const { status, body, text } = await upload(name);
    expect(status, text).toBe(201);
    expect(body.name).toBe(plain);
    const path = `/inputs/file/${plain}`;
    expect(await place(body.id)).toEqual([path, path, 'uploaded']);
  });

  it('sent as a form is named by the same rule', async () => {
    const response = await uploadAsForm('../../../etc/passwd');
    expect(response.status).toBe(201);
    expect(((await response.json()) as Json).name).toBe('passwd');
  });

  it.each(['a\0b', 'line\nbreak', 'escape\x1b[2J', 'n'.repeat(256), 'turned\u202egpj.exe'])(
    'named %j is refused',
    async (name) => {
      const { status, body } = await upload(name);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('name');
    },
  );

  it('leaves no name of its own on the worker’s disk', async () => {
    const { status } = await upload('../recognisable-name');
    expect(status).toBe(201);
    const onDisk = await pathsIn(inject('dataDirectory'));
    expect(onDisk.filter((path) => path.includes('recognisable-name'))).toEqual([]);
  });

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'fil_../../../etc/passwd',
    'fil_00000000000000000000000000',
    '',
  ])('cannot be had by the id %j', async (id) => {
    const script = await attacker.script('print(open(inputs()["file"]).read())', {
      inputSchema: { properties: { file: { type: 'string', format: 'file' } } },
    });
    const { status, body } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, {
      inputs: { file: id },
    });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('inputs.file');
  });
});
