/**
 * The world that nodes run in: virtual time, a network of bytes with its faults, buffers and memory, the trace of a
 * run, and the count of rare events.
 */
@NullMarked
package io.sdds.sim.world;

import org.jspecify.annotations.NullMarked;
