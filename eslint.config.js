import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'libs/console/**', '.data/**'] },
  ...tseslint.configs.recommended,
  prettier,
);
