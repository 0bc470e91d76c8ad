import { afterEach, describe, expect, it, vi } from 'vitest';

import { Settings } from '../core/config/index.js';
import { MasterKey } from '../core/crypto/index.js';
import { FileLinksService } from './file-links.service.js';

const ID = 'fil_01h455vb4pex5vsknk084sn02q';
const links = (env: NodeJS.ProcessEnv = {}): FileLinksService =>
  new FileLinksService(
    new MasterKey(Buffer.alloc(32, 7)),
    new Settings({ GATEHOUSE_BASE_URL: 'https://g.example', ...env }),
  );
const tokenOf = (url: string): string => new URL(url).searchParams.get('token')!;

afterEach(() => {
  vi.useRealTimers();
});

describe('FileLinks', () => {
  it('opens its own file for an hour', () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    const url = links().to(ID)!;
    expect(url.startsWith(`https://g.example/v1/files/${ID}/download?token=`)).toBe(true);
    expect(links().opens(ID, tokenOf(url))).toBe(true);
    vi.setSystemTime(1_700_000_000_000 + 3_599_000);
    expect(links().opens(ID, tokenOf(url))).toBe(true);
    vi.setSystemTime(1_700_000_000_000 + 3_600_000);
    expect(links().opens(ID, tokenOf(url))).toBe(false);
  });

  it('opens no other file and takes no other expiry', () => {
    const token = tokenOf(links().to(ID)!);
    const [expiry, signature] = token.split('.') as [string, string];
    expect(links().opens(ID.replace('2q', '2r'), token)).toBe(false);
    expect(links().opens(ID, `${Number(expiry) + 1}.${signature}`)).toBe(false);
    expect(links().opens(ID, `0${expiry}.${signature}`)).toBe(false);
    for (const wrong of ['', '.', signature, `${expiry}.`, `${token}x`, `${expiry}.${'A'.repeat(43)}`]) {
      expect(links().opens(ID, wrong)).toBe(false);
    }
  });

  it('makes none where they are switched off', () => {
    expect(links({ GATEHOUSE_FILE_LINKS: 'off' }).to(ID)).toBeNull();
  });
});
