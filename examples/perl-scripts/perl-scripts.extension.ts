import { Extension, Runtime, type RuntimeProvider, type ScriptFolder } from '@gatehouse/extension';
import { Module } from '@nestjs/common';

/** A line such as `# Usage: main.pl {city} [--unit {unit}]`. */
const USAGE = /^# Usage: main\.pl (?<inputs>.+)$/m;

/** Runs main.pl with the inputs that its line of usage names. */
@Runtime('perl_scripts')
export class PerlScripts implements RuntimeProvider {
  readonly program = 'perl';
  readonly looksFor = 'main.pl';

  async detect(folder: ScriptFolder): Promise<string | null> {
    if (!folder.files.includes('main.pl')) return null;
    const usage = USAGE.exec((await folder.read('main.pl')) ?? '');
    return ['perl main.pl', usage?.groups!['inputs'] ?? ''].join(' ').trim();
  }
}

@Extension({ name: 'perl-scripts' })
@Module({ providers: [PerlScripts] })
export class PerlScriptsExtension {
  static readonly version = '1.0.0';
}

export default PerlScriptsExtension;
