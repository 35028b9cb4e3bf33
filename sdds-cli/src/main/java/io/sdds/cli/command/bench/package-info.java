/** The benchmarks of {@code sdds bench}, their options, and the line of progress. */
@NullMarked
package io.sdds.cli.command.bench;

import org.jspecify.annotations.NullMarked;
