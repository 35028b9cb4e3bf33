/** The commands that read and write records, the options of queries, and how records are printed. */
@NullMarked
package io.sdds.cli.command.record;

import org.jspecify.annotations.NullMarked;
