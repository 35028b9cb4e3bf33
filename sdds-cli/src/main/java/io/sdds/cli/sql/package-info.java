/** Statements of SQL from a prompt, a script or an argument, run over JDBC; and their results as text, CSV or JSON. */
@NullMarked
package io.sdds.cli.sql;

import org.jspecify.annotations.NullMarked;
