/** What a program executes or obeys when somebody enters or opens a folder, by the names of files or of folders around them. */
const OBEYED = [
  ...['.envrc', '.mise.toml', 'mise.toml', '.autoenv', '.autoenv.zsh', '.vimrc', '.exrc', '.nvim.lua'],
  ...['.vscode', '.idea', '.devcontainer', '.devcontainer.json', '.zed', '.fleet'],
  ...['.husky', '.githooks', 'lefthook.yml', '.pre-commit-config.yaml', '.gitmodules', '.gitattributes'],
  ...['.claude', '.cursor', '.mcp.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.sdkmanrc'],
];

/** Those of a script's files that programs on this machine may obey, besides what runs the script. */
export function obeyedFiles(paths: readonly string[]): string[] {
  const repositories = bareRepositories(paths);
  return paths.filter(
    (path) => path.split('/').some((name) => OBEYED.includes(name)) || repositories.includes(path),
  );
}

/** The configurations of folders that Git takes for a repository without a `.git`. */
function bareRepositories(paths: readonly string[]): string[] {
  const heads = paths.filter((path) => /(^|\/)HEAD$/.test(path)).map((path) => path.slice(0, -'HEAD'.length));
  return heads
    .filter((folder) =>
      ['objects/', 'refs/'].every((part) => paths.some((path) => path.startsWith(folder + part))),
    )
    .map((folder) => `${folder}config`);
}
