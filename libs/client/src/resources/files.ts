import {
  filesContent,
  filesDelete,
  filesGet,
  filesList,
  uploadAddressesCreate,
} from '../generated/sdk.gen.js';
import type {
  File as StoredFile,
  FileListItem,
  FilesListData,
  UploadAddress,
  UploadAddressInput,
} from '../generated/types.gen.js';
import { writeLocalFile } from '../files/local-file.js';
import { type UploadOptions, type UploadSource, uploadBody } from '../files/upload-body.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** What is given to runs, and what they write. */
export class Files {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: FilesListData['query'], options?: CallOptions): Pages<FileListItem> {
    return this.calls.list(filesList<true>, { query }, options);
  }

  get(fileId: string, options?: CallOptions): Promise<StoredFile> {
    return this.calls.send(filesGet<true>, { path: { fileId } }, options);
  }

  /**
   * Uploads a file, which a run then takes by its id. Unused, it is deleted after a day.
   *
   * @example
   * const { id } = await gatehouse.files.upload('./orders.csv');
   * await gatehouse.runs.start('import-orders', { data: id });
   */
  async upload(source: UploadSource, options: UploadOptions & CallOptions = {}): Promise<StoredFile> {
    const { name, bytes } = uploadBody(source, options);
    const request = { method: 'POST', url: '/v1/files', query: { name }, bytes } as const;
    return (await (await this.calls.request(request, options)).json()) as StoredFile;
  }

  /** An address to which somebody without a credential sends one file, within minutes: `curl -T orders.csv <url>`. */
  uploadAddress(input: UploadAddressInput, options?: CallOptions): Promise<UploadAddress> {
    return this.calls.send(uploadAddressesCreate<true>, { body: input }, options);
  }

  /** The bytes: `await response.text()`, or `response.body` as a stream. */
  content(fileId: string, options?: CallOptions): Promise<Response> {
    return this.calls.open(filesContent<true>, { path: { fileId } }, options);
  }

  /**
   * Writes the bytes to a file of this machine. A file that was there stays until all of them have come, and keeps its mode. A device, a pipe
   * or what a link leads to is written into.
   */
  async save(fileId: string, path: string | URL, options?: CallOptions): Promise<void> {
    const { body } = await this.content(fileId, options);
    await writeLocalFile(path, body ?? new Blob([]).stream());
  }

  delete(fileId: string, options?: CallOptions): Promise<void> {
    return this.calls.do(filesDelete<true>, { path: { fileId } }, options);
  }
}
