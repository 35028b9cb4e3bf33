/**
 * The decisions of the coordinator: which bricks live, where partitions and copies go, and which nodes get notices.
 * Pure logic; decisions leave as commands through the command log.
 */
@NullMarked
package io.sdds.coordinator.control;

import org.jspecify.annotations.NullMarked;
