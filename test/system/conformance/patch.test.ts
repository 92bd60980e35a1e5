import { replayFamily } from './family.ts';

replayFamily('patch');
