/** Checks the version of Node.js. */

/** Minimum version of Node.js; equal to `engines` of package.json. */
export const minimumNode = '22.20';

/** Returns a message for a Node version older than `needed`; undefined for any other. */
export function unsupportedNode(
  needed: string,
  { version, execPath }: Pick<NodeJS.Process, 'version' | 'execPath'>,
): string | undefined {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `this is Node ${version.slice(1)} (${execPath}); ${needed} or later is needed`;
}
