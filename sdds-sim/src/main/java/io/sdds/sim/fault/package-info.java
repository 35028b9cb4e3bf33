/** Faults harm a cluster while it runs, and operators change its bricks and tables. */
@NullMarked
package io.sdds.sim.fault;

import org.jspecify.annotations.NullMarked;
