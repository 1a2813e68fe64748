/**
 * A process that draws reports as PDF. Their texts are foreign. It gets no environment and no secrets, may read only its own code and the
 * packages, and opens no connection.
 */
import { serve } from '../subprocess/index.ts'
import { draw } from './draw.ts'
import type { Report } from './report.ts'

serve((report) => draw(report as Report))
