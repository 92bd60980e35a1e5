/** Plays the website in operatorkit's model. */

import { play } from '../play.ts';
import { reconcilerFor } from './reconciler.ts';

await play(reconcilerFor);
