import { replayFamily } from './family.ts';

replayFamily('delete');
