import { playSeeds } from './play-seeds.ts'

playSeeds(0, 2)
