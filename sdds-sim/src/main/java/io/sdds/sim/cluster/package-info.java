/**
 * The real nodes of a cluster in the simulated world, the simulated log of its coordinators, and looks at what the
 * bricks hold at rest.
 */
@NullMarked
package io.sdds.sim.cluster;

import org.jspecify.annotations.NullMarked;
