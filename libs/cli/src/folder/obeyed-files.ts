/**
 * What a program executes or obeys when somebody enters or opens a folder: names of files, or of folders around them.
 */
const OBEYED = [
  ...['.envrc', '.mise.toml', 'mise.toml', '.mise', '.autoenv', '.autoenv.zsh', '.sdkmanrc'],
  ...['.vimrc', '.nvimrc', '.exrc', '.nvim.lua', '.dir-locals.el', '.gdbinit', '.lldbinit'],
  ...['.vscode', '.vs', '.idea', '.devcontainer', '.devcontainer.json', '.zed', '.fleet'],
  ...['.husky', '.githooks', 'lefthook.yml', '.pre-commit-config.yaml', '.gitmodules', '.gitattributes'],
  ...['.claude', '.codex', '.cursor', '.gemini', '.kiro', '.windsurf', '.mcp.json'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml', '.cargo', '.bazelrc'],
];

/** Those of a script's files that programs on this machine may obey, besides what runs the script. */
export function obeyedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((name) => OBEYED.includes(name.toLowerCase())));
}
