import { play } from '../play.ts';
import { reconcilerFor } from './reconciler.ts';

await play(reconcilerFor);
