/** The commands of {@code sdds table}, the options of tables, and how a table is printed. */
@NullMarked
package io.sdds.cli.command.table;

import org.jspecify.annotations.NullMarked;
