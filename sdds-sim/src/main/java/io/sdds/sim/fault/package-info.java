/** What harms a cluster while it runs, and the operators who change its bricks and tables. */
@NullMarked
package io.sdds.sim.fault;

import org.jspecify.annotations.NullMarked;
