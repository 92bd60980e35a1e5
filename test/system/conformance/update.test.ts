import { replayFamily } from './family.ts';

replayFamily('update');
