/**
 * Checkers of guarantees that know nothing of the simulated world: of scans and their histories, and of what bricks
 * hold.
 */
@NullMarked
package io.sdds.sim.check;

import org.jspecify.annotations.NullMarked;
