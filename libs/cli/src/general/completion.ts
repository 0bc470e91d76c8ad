import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';

/** Each asks `gatehouse complete` with the words so far, the one being typed last. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_gatehouse() {
  local IFS=$'\\n'
  COMPREPLY=($(gatehouse complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _gatehouse gatehouse
# To have it in each shell: echo 'source <(gatehouse completion bash)' >> ~/.bashrc`,
  zsh: `#compdef gatehouse
_gatehouse() {
  local -a found
  found=("\${(@f)$(gatehouse complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
# Kept as a file of $fpath, this is the function itself.
if [ "$funcstack[1]" = _gatehouse ]; then
  _gatehouse
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _gatehouse gatehouse
fi
# To have it in each shell: echo 'source <(gatehouse completion zsh)' >> ~/.zshrc`,
  fish: `complete -c gatehouse -f -a '(gatehouse complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
# To have it in each shell: gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish`,
};

export default async function completion({ args }: Context): Promise<void> {
  const script = SCRIPTS[args[0]!];
  if (script === undefined)
    throw new WrongUse(`"${args[0]}" is no shell that is known.`, 'There are: bash, zsh, fish');
  console.log(script);
}
