/**
 * Statements as texts: what is read without the engine (definitions of tables, rows of VALUES, look-ups by key), values
 * of parameters, and what errors tell of a text.
 */
@NullMarked
package io.sdds.sql.statement;

import org.jspecify.annotations.NullMarked;
