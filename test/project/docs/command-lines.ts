/** Finds the command lines of `sequencer` in shell blocks. */

/** Words of a command line of `sequencer`: `['plan', 'my.yaml']`. */
export type CommandLine = readonly string[];

const word = /'([^']*)'|"([^"]*)"|[|;>&]+|(?<=^|\s)#.*|(?:[^\s|;>&'"]|"[^"]*")+/g;
const separator = /^(?:[|;>&]+|#.*)$/;
/** Words after which another command begins. */
const leading = /^(?:[|;&]+|--|npx|\w+=.*)$/;

/** Returns the words of a line; quotation marks are removed. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(word)].map(([text, single, double]) => single ?? double ?? text);

/** Returns the command that begins with a word, if it is one of `sequencer`. */
function commandOf([program = '', ...rest]: readonly string[]): readonly CommandLine[] {
  if (/^(?:workspace-)?sequencer$/.test(program)) return [rest];
  if (program !== 'npm' || rest[0] !== 'start') return [];
  return [['dev', ...rest.slice(rest[1] === '--' ? 2 : 1)]];
}

/** Returns the command lines of `sequencer` in one line of a shell, those in quoted scripts and behind `--` as well. */
function inLine(line: string): readonly CommandLine[] {
  const words = wordsOf(line.replace(/^eval "\$\((.*)\)"/, '$1'));
  return words.flatMap((text, index) => {
    if (/\bsequencer /.test(text) && !separator.test(text)) return inLine(text);
    if (index > 0 && !leading.test(words[index - 1]!)) return [];
    const end = words.findIndex((one, at) => at > index && separator.test(one));
    return commandOf(words.slice(index, end < 0 ? undefined : end));
  });
}

/** Returns the command lines of `sequencer`, and of `npm start`, in a shell block. */
export const commandLinesOf = (block: string): readonly CommandLine[] => block.split('\n').flatMap(inLine);
