import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import {
  type BlobCall,
  type BlobRead,
  BlobStorage,
  type BlobStorageProvider,
  Extension,
  type ExtensionSettings,
  Unavailable,
} from '@gatehouse/extension';
import { type DynamicModule, Module } from '@nestjs/common';

const CLEAN_UP_MS = 5_000;

export class WebdavSettings {
  readonly folder: URL;

  /**
   * @param folder that is there, such as `https://nas.internal/gatehouse/`
   * @param authorization such as `Basic …`
   */
  constructor(
    folder: string,
    readonly authorization: string,
  ) {
    this.folder = new URL(folder.endsWith('/') ? folder : `${folder}/`);
  }
}

/** Keeps each blob as a file of one folder on a WebDAV server. */
@BlobStorage('webdav_files')
export class WebdavFiles implements BlobStorageProvider {
  constructor(private readonly settings: WebdavSettings) {}

  async ready({ signal }: BlobCall): Promise<void> {
    await this.send('PROPFIND', this.settings.folder, { headers: { depth: '0' }, signal });
  }

  async write(key: string, bytes: Readable, { signal }: BlobCall): Promise<void> {
    const arriving = new URL(`arriving.${randomUUID()}`, this.settings.folder);
    try {
      await this.send('PUT', arriving, { body: Readable.toWeb(bytes), duplex: 'half', signal });
      const headers = { destination: this.urlOf(key).href, overwrite: 'T' };
      await this.send('MOVE', arriving, { headers, signal });
    } catch (error) {
      const late = AbortSignal.timeout(CLEAN_UP_MS);
      await this.send('DELETE', arriving, { signal: late }).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, { range, signal }: BlobRead): Promise<Readable | null> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const { status, body } = await this.send('GET', this.urlOf(key), { headers, signal });
    if (status === 404) return null;
    return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
  }

  async size(key: string, { signal }: BlobCall): Promise<number | null> {
    const { status, headers } = await this.send('HEAD', this.urlOf(key), { signal });
    return status === 404 ? null : Number(headers.get('content-length'));
  }

  async delete(key: string, { signal }: BlobCall): Promise<void> {
    await this.send('DELETE', this.urlOf(key), { signal });
  }

  /** Keys have no dots, so no two of them share a name, and none is that of a file which arrives. */
  private urlOf(key: string): URL {
    return new URL(key.replaceAll('/', '.'), this.settings.folder);
  }

  /** 404 says that there is no such file, unless it was the folder that was asked for, or a file to be moved. */
  private async send(
    method: string,
    url: URL,
    { headers, ...request }: object & RequestInit,
  ): Promise<Response> {
    const { authorization } = this.settings;
    const sent = { ...headers, authorization, 'accept-encoding': 'identity' };
    const response = await fetch(url, { ...request, method, headers: sent, redirect: 'error' });
    const isMissing = response.status === 404 && ['GET', 'HEAD', 'DELETE'].includes(method);
    if (method !== 'GET' || isMissing || !response.ok) await response.body?.cancel();
    if (response.ok || isMissing) return response;
    throw new Unavailable(`The WebDAV server responded ${response.status}.`);
  }
}

@Extension({ name: 'webdav-files' })
@Module({ providers: [WebdavFiles] })
export class WebdavFilesExtension {
  static readonly version = '1.0.0';

  static for(settings: WebdavSettings): DynamicModule {
    return { module: WebdavFilesExtension, providers: [{ provide: WebdavSettings, useValue: settings }] };
  }
}

/** `EXTENSION_WEBDAV_FILES_FOLDER` and `…_AUTHORIZATION`. */
export default ({ folder, authorization }: ExtensionSettings): DynamicModule => {
  if (!folder || !authorization) throw new Error('Set EXTENSION_WEBDAV_FILES_FOLDER and …_AUTHORIZATION.');
  return WebdavFilesExtension.for(new WebdavSettings(folder, authorization));
};
