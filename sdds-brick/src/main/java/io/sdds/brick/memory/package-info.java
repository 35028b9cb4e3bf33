/**
 * Off-heap memory of a brick: chunks from the operating system, slots of size classes inside them, and records in
 * slots. The garbage collector never sees a record.
 *
 * <p>Everything here but {@link io.sdds.brick.memory.MemoryBudget} belongs to one stage and is used by its thread
 * alone.
 */
@NullMarked
package io.sdds.brick.memory;

import org.jspecify.annotations.NullMarked;
