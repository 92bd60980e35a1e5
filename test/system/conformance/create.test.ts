import { replayFamily } from './family.ts';

replayFamily('create');
