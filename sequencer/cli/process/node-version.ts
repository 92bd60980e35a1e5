const code = 'E#2005';

const numbersOf = (version: string): readonly number[] =>
  version
    .replace(/^[^0-9]*/, '')
    .split('.')
    .map(Number);

/** Returns the lines of an error when the running Node is older than `needed`, such as `>=22.20`; none when it is not. */
export function olderThan(
  needed: string,
  { version, execPath }: Pick<NodeJS.Process, 'version' | 'execPath'>,
): readonly string[] {
  const [[major = 0, minor = 0], [wantedMajor = 0, wantedMinor = 0]] = [numbersOf(version), numbersOf(needed)];
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return [];
  return [
    `error ${code}: this is Node ${version.slice(1)} (${execPath}); ${wantedMajor}.${wantedMinor} or later is needed`,
    '  https://nodejs.org has it; `npm install -D node@24` brings one for a project, `npx -p node@24 -p workspace-sequencer sequencer …` for one command',
  ];
}
