/** `sequencer completion`: prints completion scripts for shells. */

import { UserError } from '../../../sdk/index.ts';
import { type Command, commonOptions, didYouMeanHint } from '../args/command.ts';

/** Command as shells complete it. */
interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Long options, with their dashes. */
  readonly options: readonly {
    readonly long: string;
    readonly description: string;
    readonly choices: readonly string[];
  }[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const completedCommandOf = ({ name, summary, options }: Command): CompletedCommand => ({
  name,
  summary,
  options: Object.entries(options).map(([long, { description, choices = [] }]) => ({
    long: `--${long}`,
    description,
    choices,
  })),
});

/** Returns the arms of a `case` in bash and zsh: the words after an option with choices, and the options of each command. */
function caseArms(commands: readonly CompletedCommand[]): string {
  const choices = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, choices: all }) =>
      all.length > 0 ? [`    ${name}:${long}) words="${all.join(' ')}" ;;`] : [],
    ),
  );
  const options = commands.map(
    ({ name, options: all }) => `    ${name}:*) words="${all.map(({ long }) => long).join(' ')}" ;;`,
  );
  return [...choices, ...options].join('\n');
}

const bash = (commands: readonly CompletedCommand[]): string => `_sequencer() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...commands.map(({ name }) => name), 'completion'].join(' ')}"
  else case "\${COMP_WORDS[1]}:$before" in
${caseArms(commands)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sequencer sequencer
`;

const zsh = (commands: readonly CompletedCommand[]): string => `#compdef sequencer
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const fish = (commands: readonly CompletedCommand[]): string =>
  commands
    .flatMap(({ name, summary, options }) => [
      `complete -c sequencer -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...options.map(({ long, description, choices }) => {
        const words = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : '';
        return `complete -c sequencer -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${long.slice(2)}${words} -d ${quoted(description)}`;
      }),
    ])
    .join('\n')
    .concat('\n');

const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = { bash, zsh, fish };

/** Returns the command `sequencer completion`, for these commands. */
export const completionOf = (commands: readonly Command[]): Command => ({
  name: 'completion',
  summary: 'print a script that completes commands and options in bash, zsh or fish',
  operands: 'bash|zsh|fish',
  options: { help: commonOptions.help },
  examples: [
    ['source <(sequencer completion bash)', 'in ~/.bashrc, and with zsh in ~/.zshrc after compinit'],
    ['sequencer completion fish > ~/.config/fish/completions/sequencer.fish', 'once'],
  ],
  async run({ operands }) {
    const [shell = ''] = operands;
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined || operands.length > 1) {
      const [names, found] = [Object.keys(scripts), operands.join(' ')];
      const what = `needs one of ${names.join(', ')}; found ${JSON.stringify(found)}`;
      throw new UserError('E#2001', `sequencer completion: ${what}`, {
        hint: didYouMeanHint(found, names) ?? 'sequencer completion bash',
      });
    }
    process.stdout.write(script(commands.map(completedCommandOf)));
    return 0;
  },
});
