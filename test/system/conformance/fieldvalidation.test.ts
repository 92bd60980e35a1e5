import { replayFamily } from './family.ts';

replayFamily('fieldvalidation');
