import { describe, expect, it } from 'vitest';
import { parseOutput } from './parse-output.js';
import { StdoutRecorder } from './stdout-recorder.js';

function record(...chunks: string[]): { recorder: StdoutRecorder; log: string[] } {
  const log: string[] = [];
  const recorder = new StdoutRecorder((line) => log.push(line));
  for (const chunk of chunks) recorder.push(Buffer.from(chunk));
  return { recorder, log };
}

function finish(recorder: StdoutRecorder): { output: unknown; error: string | null } {
  const { json, error } = recorder.finish(parseOutput(recorder.written));
  return { output: json === null ? null : JSON.parse(json), error };
}

describe('StdoutRecorder', () => {
  it('logs each line when the next one arrives', () => {
    const { recorder, log } = record('one\n');
    expect(log).toEqual([]);
    recorder.push(Buffer.from('\n'));
    expect(log).toEqual([]);
    recorder.push(Buffer.from('two\nthr'));
    expect(log).toEqual(['one', '']);
    recorder.push(Buffer.from('ee\n'));
    expect(log).toEqual(['one', '', 'two']);
    expect(finish(recorder)).toEqual({ output: 'one\n\ntwo\nthree', error: null });
    expect(log).toEqual(['one', '', 'two', 'three']);
  });

  it('keeps the result out of the log', () => {
    const { recorder, log } = record('one\ntwo\n{"a":', ' 1}\n\n');
    expect(finish(recorder)).toEqual({ output: { a: 1 }, error: null });
    expect(log).toEqual(['one', 'two']);
  });

  it('logs nothing of what is JSON as a whole', () => {
    for (const text of ['{\n"a":\n1\n}\n', '\n \n[1,\n2]', '42\n', '"x"', '', '\n\n']) {
      const { recorder, log } = record(...text);
      expect(finish(recorder)).toEqual({
        output: text.trim() === '' ? null : JSON.parse(text),
        error: null,
      });
      expect(log).toEqual([]);
    }
  });

  it('holds back what begins like JSON, and logs what stood before a result', () => {
    const { recorder, log } = record('[INFO] a\n', '[INFO] b\n', '{"x": 1}\n');
    expect(log).toEqual([]);
    expect(finish(recorder)).toEqual({ output: { x: 1 }, error: null });
    expect(log).toEqual(['[INFO] a', '[INFO] b']);
  });

  it('gives back as text what began like JSON and is none', () => {
    const { recorder, log } = record('[INFO] a\nb\n');
    expect(finish(recorder)).toEqual({ output: '[INFO] a\nb', error: null });
    expect(log).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['{"a":\n1}', ['{"a":', '1}']],
    ['[INFO] a\n{"x": 1}\n', ['[INFO] a', '{"x": 1}']],
    ['one\n{"x": 1}\n', ['one', '{"x": 1}']],
    ['42\n', ['42']],
    ['one\ntwo', ['one', 'two']],
    ['', []],
  ])('loses nothing of %j when the run failed, or its output was refused', (text, lines) => {
    const failed = record(...text);
    failed.recorder.flush();
    expect(failed.log).toEqual(lines);
    const refused = record(...text);
    finish(refused.recorder);
    refused.recorder.flush();
    expect(refused.log).toEqual(lines);
    refused.recorder.flush();
    expect(refused.log).toEqual(lines);
  });

  it('keeps no more than the limit, and goes on logging', () => {
    const { recorder, log } = record();
    for (let i = 0; i < 300; i++) recorder.push(Buffer.from(`${i} ${'x'.repeat(4000)}\n`));
    const { output, error } = finish(recorder);
    expect(output).toBeNull();
    expect(error).toContain('1 MiB');
    expect(log).toHaveLength(300);
    expect(log.at(-1)).toMatch(/^299 x/);
  });

  it('says what was dropped of a document that is too large', () => {
    const { recorder, log } = record('[');
    for (let i = 0; i < 300; i++) recorder.push(Buffer.from(`"${'x'.repeat(4000)}",`));
    expect(finish(recorder).error).toContain('1 MiB');
    expect(log).toEqual([
      expect.stringContaining('[cut:'),
      '[standard output after 1048577 bytes was dropped]',
    ]);
  });

  it('takes one large chunk whole', () => {
    const { recorder, log } = record(`a\n${'b\n'.repeat(700_000)}last`);
    expect(finish(recorder).error).toContain('1 MiB');
    expect(log).toHaveLength(700_002);
    expect(log.at(-1)).toBe('last');
  });

  it('does not care where a character is cut', () => {
    const log: string[] = [];
    const recorder = new StdoutRecorder((line) => log.push(line));
    for (const byte of Buffer.from('é\n😀\n["漢"]')) recorder.push(Buffer.from([byte]));
    expect(finish(recorder)).toEqual({ output: ['漢'], error: null });
    expect(log).toEqual(['é', '😀']);
  });

  it('applies the transform to the log, and leaves the output as it is', () => {
    const log: string[] = [];
    const lines = { transform: (text: string) => text.replaceAll('s3cret', '***') };
    const recorder = new StdoutRecorder((line) => log.push(line), lines);
    recorder.push(Buffer.from('key s3cret\n{"key": "s3cret"}\n'));
    expect(finish(recorder)).toEqual({ output: { key: 's3cret' }, error: null });
    recorder.flush();
    expect(log).toEqual(['key ***', '{"key": "***"}']);
  });

  it('does not keep blank lines without end, in case the output comes after them', () => {
    const { recorder, log } = record('one\n');
    for (let count = 0; count < 50; count++) recorder.push(Buffer.alloc(10_000, '\n'));
    recorder.push(Buffer.from('{"a": 1}\n'));
    expect(log.length).toBeLessThan(10_010);
    expect(log.length).toBeGreaterThan(10_000);
    expect(finish(recorder)).toEqual({ output: { a: 1 }, error: null });
  });
});
