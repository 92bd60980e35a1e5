/** Operators in several languages that run against the servers under test. */

import { join } from 'node:path';
import { built } from './recipes.ts';

/** An operator in some language, and its command; all do the same with their own kind of Greeting. */
export interface Operator {
  readonly name: string;
  /** The recipe that builds it. */
  readonly recipe: string;
  readonly group: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Repeats another operator with different settings. */
  readonly isVariant?: true;
  /** Definition that must be installed beforehand. */
  readonly definition?: string;
  /** It marks itself as the controller of the objects it owns. @default true */
  readonly controlsWhatItOwns?: boolean;
  /** Leader election, if it has any. */
  readonly election?: Election;
}

/** Observable signs of leadership. */
export interface Election {
  /** The name of the Lease, in the namespace `default`. */
  readonly lease: string;
  /** Output of a process that waits for the lease, and of one that works. */
  readonly waits: RegExp;
  readonly works: RegExp;
}

const sources = import.meta.dirname;
const folderOf = (recipe: string): string => built(recipe) ?? '/not-built';

const manager = {
  recipe: 'go',
  group: 'go.clients.example.com',
  command: join(folderOf('go'), 'manager'),
  args: ['--crds', join(sources, 'go/manager/crds')],
  election: {
    lease: 'greetings.go.clients.example.com',
    waits: /attempting to acquire leader lease/,
    works: /Starting Controller/,
  },
};
const controller = {
  recipe: 'rust',
  group: 'rust.clients.example.com',
  command: join(folderOf('rust'), 'bin/greetings'),
  args: [],
};

/** A Java program with options for a fast start. */
const java = (module: string) => {
  const folder = join(folderOf('java'), module);
  return {
    recipe: 'java',
    command: 'java',
    args: [
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      ...['-cp', `${join(folder, 'classes')}:${join(folder, 'lib')}/*`, 'greetings.Main'],
    ],
  };
};

const sdk = {
  ...java('operator'),
  group: 'java.clients.example.com',
  controlsWhatItOwns: false,
  election: {
    lease: 'greetings.java.clients.example.com',
    waits: /Failed to acquire lease/,
    works: /Started event processing for controller/,
  },
};

/** Environment of the Python programs. */
export const pythonEnvironment = { PYTHONPATH: folderOf('python'), PYTHONDONTWRITEBYTECODE: '1' };

/** The operators, each written as in its library's documentation. */
export const operators: readonly Operator[] = [
  { name: 'a controller-runtime manager', ...manager, env: {} },
  {
    name: 'a controller-runtime manager that lists by watching',
    ...manager,
    env: { KUBE_FEATURE_WatchListClient: 'true' },
    isVariant: true,
  },
  { name: 'a kube-rs controller', ...controller, env: {} },
  {
    name: 'a kube-rs controller with streaming lists',
    ...controller,
    env: { STREAMING_LISTS: 'yes' },
    isVariant: true,
  },
  {
    name: 'a kopf operator',
    recipe: 'python',
    group: 'python.clients.example.com',
    command: 'python3',
    args: ['-m', 'kopf', 'run', '--standalone', '--all-namespaces', join(sources, 'python/greetings.py')],
    env: pythonEnvironment,
    definition: join(sources, 'python/greetings.yaml'),
  },
  { name: 'a Java Operator SDK operator', ...sdk, env: {} },
  { name: 'a Java Operator SDK operator over Vert.x', ...sdk, env: { VERTX: 'yes' }, isVariant: true },
  {
    name: "a controller of Java's official client",
    ...java('official'),
    group: 'official.java.clients.example.com',
    env: {},
    definition: join(sources, 'java/official/definition.yaml'),
    election: {
      lease: 'greetings.official.java.clients.example.com',
      waits: /Start leader election with lock/,
      works: /Lease acquired, starting controller/,
    },
  },
];
