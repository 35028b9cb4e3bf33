/**
 * Deterministic simulation of whole clusters: the real nodes on virtual time, a network of bytes and faults, all drawn
 * from one seed.
 */
@NullMarked
package io.sdds.testkit.sim;

import org.jspecify.annotations.NullMarked;
