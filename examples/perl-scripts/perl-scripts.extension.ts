import {
  Extension,
  Runtime,
  type RuntimeProvider,
  type ScriptFolder,
  ScriptTemplate,
  type ScriptTemplateProvider,
} from '@gatehouse/extension';
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

/** Offered where a new script begins. */
@ScriptTemplate('perl_scripts')
export class PerlTemplate implements ScriptTemplateProvider {
  readonly title = 'Perl';
  readonly description = 'Greets whom it is given.';
  readonly files = { 'main.pl': '# Usage: main.pl {name}\nprint "Hello, $ARGV[0]\\n";\n' };
}

@Extension({ name: 'perl-scripts' })
@Module({ providers: [PerlScripts, PerlTemplate] })
export class PerlScriptsExtension {
  static readonly version = '1.0.0';
}

export default PerlScriptsExtension;
