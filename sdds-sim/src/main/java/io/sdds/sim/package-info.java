/**
 * Deterministic simulation of whole clusters: the real nodes on virtual time, a network of bytes and faults, all drawn
 * from one seed. This package runs seeds; the parts of a run are in the packages below, which need each other in one
 * direction.
 */
@NullMarked
package io.sdds.sim;

import org.jspecify.annotations.NullMarked;
