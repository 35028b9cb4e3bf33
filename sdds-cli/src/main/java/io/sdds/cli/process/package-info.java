/** Processes: their start, their end, and local clusters. */
@NullMarked
package io.sdds.cli.process;

import org.jspecify.annotations.NullMarked;
