import { before as describeDtos } from '@nestjs/swagger/plugin';
import ts from 'typescript';

/** Types and comments of DTOs become the OpenAPI document. */
const DTOS = {
  introspectComments: true,
  classValidatorShim: true,
  esmCompatible: true,
  dtoFileNameSuffix: ['.dto.ts'],
  controllerFileNameSuffix: ['.controller.ts'],
};

/** `node libs/bootstrap/compile.mjs`: compiles into `dist` what has changed of the program. */
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.build.json', {}, ts.sys);
const incremental = ts.createIncrementalProgram({ rootNames: fileNames, options });
const program = incremental.getProgram();
const { diagnostics } = incremental.emit(undefined, undefined, undefined, undefined, {
  before: [describeDtos(DTOS, program)],
});
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
process.stderr.write(
  ts.formatDiagnostics(problems, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  }),
);
process.exitCode = problems.length === 0 ? 0 : 1;
