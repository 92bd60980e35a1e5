import { join } from 'node:path';
import { built } from './recipes.ts';

/** An operator in some language, and how to run it; all of them do the same with their own kind of Greeting. */
export interface Operator {
  readonly name: string;
  /** The recipe that builds it. */
  readonly recipe: string;
  readonly group: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether it is another one again, with other settings. */
  readonly isVariant?: true;
  /** The definition that somebody else has to install. */
  readonly definition?: string;
}

const sources = import.meta.dirname;
const folderOf = (recipe: string): string => built(recipe) ?? '/not-built';

const manager = {
  recipe: 'go',
  group: 'go.clients.example.com',
  command: join(folderOf('go'), 'manager'),
  args: ['--crds', join(sources, 'go/manager/crds')],
};
const controller = {
  recipe: 'rust',
  group: 'rust.clients.example.com',
  command: join(folderOf('rust'), 'bin/greetings'),
  args: [],
};

/** The environment of Python's programs. */
export const pythonEnvironment = { PYTHONPATH: folderOf('python'), PYTHONDONTWRITEBYTECODE: '1' };

/** The operators, each as the documentation of its library has it. */
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
];
