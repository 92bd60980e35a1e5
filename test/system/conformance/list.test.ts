import { replayFamily } from './family.ts';

replayFamily('list');
