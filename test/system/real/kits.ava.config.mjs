import real from './ava.config.mjs';

/** These take four minutes or more: they go first, so that no processor waits for the last of them. */
const longest = /\/(components\/compliance\/compliance-long|(postgres|http|gitea|rfc2136|powerdns)\/)/;

/**
 * Compliance kits in real time, which wait for leases most of the time: several files at once, one case at a time in each.
 * `npx ava --config test/system/real/kits.ava.config.mjs`, after `npx node test/system/real/build.ts`.
 */
export default {
  ...real,
  files: ['test/**/compliance*.real.ts'],
  sortTestFiles: (one, other) => longest.test(other) - longest.test(one) || one.localeCompare(other),
  serial: false,
  concurrency: 9,
};
