import { type Frame, html, prose, renderDocument } from '../core/docs/index.js';
import { NOT_MADE, type PackageFile } from './packages.service.js';

type Listed = PackageFile & { address: string };

/** The page of the packages. pip finds a wheel on it by its link, and checks it against the digest there. */
export function renderPackages(files: readonly Listed[], frame: Frame): string {
  const body = html`<main class="page">
    <h1>Packages</h1>
    ${
      files.length === 0
        ? html`<p>${prose(NOT_MADE)}</p>`
        : html`<p>
            Of this very version, and in no public registry.
            <a href="${frame.base}/docs/guide/packages">How to install them</a>.
          </p>`
    }
    <table>
      ${files.map(
        ({ name, address, size, sha256 }) =>
          html`<tr>
            <td><a href="${address}#sha256=${sha256}">${name}</a></td>
            <td>${Math.ceil(size / 1000)} kB</td>
            <td><code>${sha256}</code></td>
          </tr>`,
      )}
    </table>
  </main>`;
  return renderDocument('Packages', body, html``, frame);
}
