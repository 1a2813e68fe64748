import { playSeeds } from './play-seeds.ts'

playSeeds(1, 2)
