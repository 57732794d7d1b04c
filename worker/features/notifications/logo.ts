import type { InlineImage } from "../../ports/mailer";

/** `web/public/favicon.svg`, drawn at 56 px and shown at 28. Mail clients show no SVG and block remote images. */
export const LOGO: InlineImage = {
  contentId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  base64:
    "iVBORw0KGgoAAAANSUhEUgAAADgAAAA4CAMAAACfWMssAAACClBMVEUAAADt0qDs06D1583s05/58eH15sv16c4ZUaYbU6cbU6cb" +
    "VKgQUK8bU6cbVKgAAP8bU6cbU6gcU6gbU6cbVKcaU6YbUqf///+kutyht9r/////////////////////////////////////////" +
    "///////////////////////////////////////////////////////////////////////t06D68uPy37n479wcVKi4s6IxZLD/" +
    "///w9PppjsW3yeQsYK7s8PdYgb/P2+2iudumvN0lW6uft9rQ3O2/z+fq7/fl6/VQe7xUfr3B0OfA0OcqXq2vw+H9/f7f3dXt1KLt" +
    "1KPf3db+/v+uwuBhiMLw9Pn8+PDw27H8+PHv8vgwY6/C0ef///726c/t06H26dAuYq91l8r09/v79u3v2a3v2a7z9vtzlck1Z7HO" +
    "2uz//vz15sr158rK1+odVaiCoc/4+v369Onv16r3+fyAn84+brXV3+/+/fr05MT05MU7bLQfVqmOqtT7/P758uPu1qfu1qj68+WN" +
    "qdNJdrnf5vL9+/jy4Lz9/Pnc5PFFc7cjWaqettr579358N+ZsthVf77m7Pb9+fH9+fJSfLyguNs9bbWWsNe5yuQ7a7TC0ejg6PPj" +
    "6vUkWqspXq2Pq9SUrtZWgL5Zgr/8/f6RrNUgV6khWKry9fqTrtZx068mAAAANnRSTlMAj79rwP1naEii0aEQoJ4BxcR47OsoYCK2" +
    "tRGkq7m4ure2lZNlYjUxv7sY7hdH8PFEFhWGxEPqX3wzAAACMklEQVRIx+3W+VdMYRgH8OxJRJR1JDtZooRvfWtqaGjRZBehZElJ" +
    "1kJJZZedkMg2ZPsfvXPnzow7d3nv6xw/8f3hnvee5/mc55x77r3vm5DwP+4yYqRlRknh6DzLjBn7h3C9VNpBqbSFMmkPJdIBOksn" +
    "6Cht4IaNYTnOyiSOTwLy8xyTDyRNSDSw5IkIRQ5FJiXHXMpkuIeYkhKFqVCBSI0OnKoGp0VGpkENIk2H6aowPeymzyhQgwUzZ2lw" +
    "NguLVGBRIedo0EPSW+wWFntF+1wNZogVS3zuoK8k1O3RJ27aLG5K/XLoLxWNW7bqEz0sg6+crKiUwcoKsnwbqvSJGQwA1dvJHTt3" +
    "Obnde/aS+6phhEDNfvJArb2rPUgeqgl1xkEcriPrjzRYs4aj9WTdMVhB4PgJsvGklWtqJJtP6W1miJbTZOsZszvbSp5rgT3E+QsX" +
    "ybZ2I2tvIy9djvZYQuBKB9l59XfX1Ul2XIMMorunl7x+I8Ju3iJ7b3dDDoE7d8l7fWHXd5988NBYj8EyYwGPHos360mTeJhPxeJZ" +
    "XFXA2CsXn+f9Qrx4KS79r0zFQPTrMEP4B6hlwG+uOU0UeT34xjv41qoSmxiAUmyf6l+H81ThEDM1OJ/v1OB7LtDgQvKDivtILtLg" +
    "YvKTCgySS8K/8qXkZ/fuC7lM3zuWZ3H46zd37HtwmFkrIvvcylXkj6qfPdIEh5rJ1dmxLXlNJl3Hs9ZwCsjOyXWjcnPW/UOn6V8i" +
    "bfwitQIYcwAAAABJRU5ErkJggg==",
};
