import { replayFamily } from './family.ts';

replayFamily('watch');
