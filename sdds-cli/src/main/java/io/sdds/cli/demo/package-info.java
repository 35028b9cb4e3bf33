/** The demo: loads, queries and checks a growing table, and shows the growth. */
@NullMarked
package io.sdds.cli.demo;

import org.jspecify.annotations.NullMarked;
