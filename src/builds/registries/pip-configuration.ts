import { askClient } from './ask-client.js';

/** How pip is set up on this machine. */
export interface PipConfiguration {
  /** The package indexes as they are configured, with credentials. The first is the main one. */
  indexes: PipIndex[];
  /** Further pages or files that link to packages. Without local folders, which a box does not see. */
  findLinks: PipIndex[];
  noIndex: boolean;
  /** The host of the files of pip's default index. null: that index is not used. */
  filesHost: string | null;
  /** A file of certificates to trust. */
  cert: string | null;
  /** Settings that the box gets unchanged. */
  other: Record<string, string>;
}

export interface PipIndex {
  url: string;
  /** From the address itself or from the netrc file of the process's user. */
  credentials: { user: string; password: string } | null;
}

/** Asks pip itself, which knows all files, their precedence and the defaults. */
const PROGRAM = `
import json
from urllib.parse import urlsplit, unquote
from pip._internal.configuration import Configuration
from pip._internal.models.index import PyPI
from pip._vendor.requests.utils import get_netrc_auth
c = Configuration(isolated=False)
c.load()
found = {}
for key, value in c.items():
    values = value if isinstance(value, dict) else {key: value}
    for name, text in values.items():
        section, _, option = name.rpartition('.')
        rank = {'global': 0, 'install': 1, ':env:': 2}.get(section)
        if rank is not None and (option not in found or rank >= found[option][0]): found[option] = (rank, text)
get = lambda option: (found.get(option) or (0, ''))[1].strip()
def source(url):
    parts = urlsplit(url)
    pair = (unquote(parts.username), unquote(parts.password or '')) if parts.username else get_netrc_auth(url)
    return {'url': url, 'credentials': pair and {'user': pair[0], 'password': pair[1]}}
index = get('index-url') or get('pypi-url') or PyPI.simple_url
remote = lambda url: url.split(':')[0].lower() in ('http', 'https')
print(json.dumps({
    'indexes': [source(url) for url in [index, *get('extra-index-url').split()] if remote(url)],
    'findLinks': [source(url) for url in get('find-links').split() if remote(url)],
    'noIndex': get('no-index').lower() in ('1', 'true', 'yes', 'on'),
    'filesHost': PyPI.file_storage_domain if urlsplit(index).hostname == PyPI.netloc else None,
    'cert': get('cert') or None,
    'other': {o: get(o) for o in ('only-binary', 'no-binary', 'prefer-binary', 'pre', 'timeout', 'default-timeout', 'retries') if get(o)},
}))
`;

/** @throws ClientUnusable */
export function readPipConfiguration(python: string): Promise<PipConfiguration> {
  return askClient(python, ['-c', PROGRAM], `pip of ${python}`);
}
