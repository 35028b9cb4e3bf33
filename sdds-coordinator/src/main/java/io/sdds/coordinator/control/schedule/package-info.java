/** Schedulers begin splits, merges, moves, drains and changes of members, at each heartbeat or tick. */
@NullMarked
package io.sdds.coordinator.control.schedule;

import org.jspecify.annotations.NullMarked;
